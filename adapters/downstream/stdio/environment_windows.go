package stdio

func systemVariables() variables { return windowsVariables() }
