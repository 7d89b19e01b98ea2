// Imported before everything else: no signal opens a debugger, through which another user of this machine could read a key.
import inspector from 'node:inspector';

/** Node's own handler of SIGUSR1 opens a debugger port; a listener takes its place. Commands that can be interrupted listen besides. */
process.on('SIGUSR1', () => undefined);

/** The signal may have come before. A person who typed --inspect keeps the debugger. */
const asked = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((option) => option.includes('--inspect'));
if (!asked && inspector.url() !== undefined) inspector.close();
