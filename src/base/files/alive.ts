// Whether a process with a given number is alive, of this user or another.

/** False for a value that cannot be the number of a process. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0); // signal 0 sends nothing
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'; // another user's process
  }
}
