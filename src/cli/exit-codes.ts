// The type of the function that records a command's exit code.
import type { ExitCode } from './host.ts';

export type SetExitCode = (command: Promise<ExitCode>) => Promise<void>;
