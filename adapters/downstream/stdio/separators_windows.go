package stdio

const separators = `/\:`
