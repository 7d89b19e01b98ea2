// The exit codes of all commands. What each code means for one command is in the notes of its `--help`; which error has which code: `failure.ts`.

/** 0: done, 1: the run failed, 2: the user's input is wrong, so a supervisor must not restart it, 70: a bug. */
export type ExitCode = 0 | 1 | 2 | typeof BUG;

export const BUG = 70;

/** Sets the exit code of the program when the command has ended. */
export type SetExitCode = (command: Promise<ExitCode>) => Promise<void>;
