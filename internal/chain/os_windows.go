package chain

// noFollow: there is no flag for it, and no pipe in the file system to wait for.
const noFollow = 0
