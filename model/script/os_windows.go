package script

// noWait: there is no pipe in the file system to wait for.
const noWait = 0
