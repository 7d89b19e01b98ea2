// Whether a process of that number lives, this user's or another's.

/** False for what cannot be the number of a process. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0); // sends nothing
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'; // another user's
  }
}
