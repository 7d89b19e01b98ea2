// How a command that was typed hands over its exit code.
import type { ExitCode } from './host.ts';

export type Ends = (command: Promise<ExitCode>) => Promise<void>;
