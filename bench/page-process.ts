// Serves the page of a recording, `bot ui --recording FILE`, and reads it as a browser does: the state at its beginning, and at its end,
// for which all turns are played. The page's own process is this one, so that its CPU time can be measured.
import { Writable } from 'node:stream';
import { systemClock } from '../src/base/clock.ts';
import { assert } from '../src/base/errors.ts';
import { ui } from '../src/program/commands/ui/ui.ts';
import { processHost } from '../src/program/process/process-host.ts';

const [file] = process.argv.slice(2);
assert(file !== undefined, 'a recording is named');

let printed: (line: string) => void = () => undefined;
const line = new Promise<string>((resolve) => {
  printed = resolve;
});
let stop: () => void = () => undefined;
const host = {
  ...processHost(process, { clock: systemClock, exit: (code) => process.exit(code) }),
  stdout: new Writable({ write: (chunk: Buffer, _encoding, done) => (printed(String(chunk)), done()) }),
  onSignal: (listener: (signal: { name: string; again: boolean }) => void) => {
    stop = () => listener({ name: 'SIGTERM', again: false });
  },
};
const served = ui(undefined, { recording: file, json: true }, host);
const { url } = JSON.parse(await Promise.race([line, served.then(String)])) as { url: string };
const [address = '', secret] = url.split('/#');
const headers: Record<string, string> = { 'x-tickwright': '1', 'content-type': 'application/json' };
const post = (path: string, body: object): Promise<Response> =>
  fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) });
headers['cookie'] = (await post('/api/link', { secret })).headers.get('set-cookie')?.split(';')[0] ?? '';
const stateNow = async () => (await (await fetch(`${address}/api/state`, { headers })).json()) as { replay: { to: number } };

const { replay } = await stateNow();
await post('/api/replay', { at: replay.to });
await stateNow();
stop();
await served;
