// Keys never appear in what the processes of whole runs print and write.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealKeystore } from '../../src/base/keys/keystore.ts';
import { BUILT_MAIN } from '../process/program.ts';
import { type Artefact, artefact, artefactsIn, CANARIES, found, PAIR, PASSPHRASE, session, wallet } from './canaries.ts';

const ROOT = new URL('../..', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'canary-'));
const put = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content, { mode: 0o600 });
  return join(folder, name);
};
const key = put('user.key', JSON.stringify(PAIR));
const words = put('words', PASSPHRASE);

let server: ChildProcess;
let serverSaid = '';
let url = '';
beforeAll(async () => {
  server = spawn(process.execPath, [BUILT_MAIN, 'exchange', '--json', '--seed', 'canary'], { cwd: ROOT });
  server.stderr?.on('data', (chunk: Buffer) => (serverSaid += chunk.toString()));
  url = await new Promise((resolve, reject) => {
    server.once('close', () => reject(new Error(`the exchange ended: ${serverSaid}`)));
    server.stdout?.on('data', (chunk: Buffer) => {
      serverSaid += chunk.toString();
      const [line, whole] = serverSaid.split('\n');
      if (whole !== undefined) resolve((JSON.parse(line ?? '') as { hosted: string }).hosted);
    });
  });
});
afterAll(() => void server.kill('SIGKILL'));

async function ran(name: string, argv: readonly string[], env: Record<string, string> = {}) {
  const state = join(folder, name);
  mkdirSync(state, { mode: 0o700 });
  writeFileSync(join(state, 'session.key'), session, { mode: 0o600 });
  const run = ['run', '--strategy', 'grid', '--exchange', 'hosted', '--url', url, '--live', '--state', state, ...argv];
  const child = spawn(process.execPath, [BUILT_MAIN, ...run], {
    cwd: ROOT,
    env: { ...process.env, ...env },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    const traded = out.includes('placed');
    out += chunk.toString();
    if (!traded && out.includes('placed')) child.kill('SIGINT');
  });
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const code = await new Promise((resolve) => child.once('close', resolve));
  const files = artefactsIn(state, ['session.key']);
  return { code, out, err, state, artefacts: [artefact('stdout', out), artefact('stderr', err), ...files] satisfies Artefact[] };
}

test('a run with a key file, and one with a keystore: output, logs and every file of the state directory', async () => {
  const keystore = put('user.keystore', JSON.stringify(await sealKeystore(wallet, Buffer.from(PASSPHRASE))));
  const plain = await ran('plain', ['--key', key, '--json']); // one after the other, because two on one account are refused
  const runs = [plain, await ran('sealed', ['--key', keystore], { TICKWRIGHT_PASSPHRASE_FILE: words })];
  for (const { code, err, out, state, artefacts } of runs) {
    expect({ code, err, out: out.includes('placed') }).toEqual({ code: 0, err: expect.stringContaining('session') as string, out: true });
    expect(artefacts.length).toBeGreaterThan(3);
    expect(found(artefacts, CANARIES)).toEqual([]);
    expect(artefacts.filter(({ bytes }) => bytes.includes(PASSPHRASE))).toEqual([]);
    expect([...readFileSync(join(state, 'session.key'))]).toEqual([...session]);
  }
  expect(found([artefact('the exchange', serverSaid)], CANARIES)).toEqual([]);
});
