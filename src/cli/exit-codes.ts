// The type of the function that records a command's exit code.
import type { ExitCode } from './host.ts';

export type Ends = (command: Promise<ExitCode>) => Promise<void>;
