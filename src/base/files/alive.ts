// Tests whether a process of any user is alive, by its id.

/** Returns false for a value that cannot be a process id. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0); // signal 0 sends nothing
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'; // another user's process
  }
}
