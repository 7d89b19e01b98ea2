// Imported first: keeps SIGUSR1 from opening a debugger, through which another user of this machine could read a key.
import inspector from 'node:inspector';

/** Replaces Node's own SIGUSR1 handler, which opens a debugger port. Commands that can be interrupted add their own listener. */
process.on('SIGUSR1', () => undefined);

/** True if the user requested a debugger. Otherwise one that is open was opened by a signal before this line, and is closed. */
const isRequested = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((option) => option.includes('--inspect'));
if (!isRequested && inspector.url() !== undefined) inspector.close();
