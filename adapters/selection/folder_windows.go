package selection

// folder is the working directory of the processes: that of the workbench, since Windows has no
// folder that always exists.
const folder = ""
