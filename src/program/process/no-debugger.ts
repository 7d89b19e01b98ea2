// Imported first: keeps SIGUSR1 from opening a debugger, through which another user of this machine could read a key.
import inspector from 'node:inspector';

/** Replaces Node's own SIGUSR1 handler, which opens a debugger port. Commands that can be interrupted add their own listener. */
process.on('SIGUSR1', () => undefined);

/** If the signal arrived before this line, closes the debugger, unless the user requested it with --inspect. */
const asked = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((option) => option.includes('--inspect'));
if (!asked && inspector.url() !== undefined) inspector.close();
