import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../src/base/clock.ts';
import { openKey, walletOf } from '../../src/base/keys/key.ts';
import { sealKeystore } from '../../src/base/keys/keystore.ts';
import { publicKeyOf, toBase58 } from '../../src/base/wire/ed25519.ts';
import { stopAfter } from '../../src/bot/run/core/trading.ts';
import { loadStrategy } from '../../src/bot/strategy/loading/loader.ts';
import { runProgram } from '../../src/program/program.ts';
import { bundledSchema } from '../../src/venues/wire/schema/schema.ts';
import { driven } from '../driven.ts';
import { inProcessTransport } from '../in-process.ts';
import { memoryState } from '../memory-state.ts';
import { embeddedOn, latencies, ONE_MARKET, START, startBot } from '../replay/virtual-run.ts';
import { FakeHost } from '../unit/cli/fake-host.ts';
import { type Artefact, artefact, CANARIES, found, PAIR, PASSPHRASE, session, wallet } from './canaries.ts';

const folder = mkdtempSync(join(tmpdir(), 'canary-'));
const put = (name: string, content: Uint8Array | string): string => {
  writeFileSync(join(folder, name), content, { mode: 0o600 });
  return join(folder, name);
};
const key = put('user.key', JSON.stringify(PAIR));
const words = put('words', PASSPHRASE);

test('a whole run on virtual time: its lines, recording, summary and log', async () => {
  const clock = new VirtualClock(START);
  const { strategy } = await loadStrategy('grid');
  const bugs: unknown[] = [];
  const embedded = await embeddedOn(clock, { seed: 'canary', markets: ONE_MARKET, onBug: (thrown) => bugs.push(thrown) });
  const transport = inProcessTransport({ handler: embedded.hosted, clock, latencyMs: latencies('canary') });
  const memory = memoryState();
  const state = { ...memory, sessionKey: () => session };
  const bot = {
    transport,
    clock,
    seed: 'canary',
    strategy,
    state,
    schema: bundledSchema(),
    wallet: walletOf(wallet),
    exchange: 'embedded',
  };
  const { venue, trading } = await driven(clock, startBot(bot));
  stopAfter(trading.run, { clock, spanMs: 30_000 });
  const ending = await driven(clock, trading.run.done);
  await venue.gateway.close();
  await embedded.close();
  const summary = trading.summary();
  expect([summary.orders.placed > 5, bugs]).toEqual([true, []]);
  const written = [
    ...memory.lines.map((line) => JSON.stringify(line)),
    ...memory.recording,
    JSON.stringify([ending, summary, trading.status()]),
  ];
  expect(found([artefact('all', written.join('\n'))], CANARIES)).toEqual([]);
});

const node = (body: string): string[] => [process.execPath, '-e', body];

async function outputOf(argv: readonly string[], env: Record<string, string> = {}): Promise<Artefact[]> {
  const host = new FakeHost({ env });
  const code = await runProgram(argv, host);
  expect({ argv: argv.map((text) => text.slice(0, 20)), code }).toMatchObject({ code: 2 });
  return [artefact('stdout', host.stdout.text), artefact('stderr', host.stderr.text)];
}

describe('wrong input of every kind', () => {
  const spelled = {
    base58: toBase58(wallet),
    long: toBase58(Uint8Array.from(PAIR)),
    list: JSON.stringify(PAIR),
    hex: Buffer.from(wallet).toString('hex'),
    'hex of both halves': Buffer.from(PAIR).toString('hex'),
    base64: Buffer.from(wallet).toString('base64'),
    'base64 without padding': Buffer.from(wallet).toString('base64').replace('=', ''),
    base64url: Buffer.from(wallet).toString('base64url'),
    'base64 of both halves': Buffer.from(PAIR).toString('base64'),
    'list without brackets': PAIR.join(','),
    'list of one half': [...wallet].join(' '),
  };
  const hosted = ['run', '--strategy', 'grid', '--exchange', 'hosted', '--url', 'https://127.0.0.1:1', '--live'];
  const damaged: Readonly<Record<string, string>> = {
    'cut off': JSON.stringify(PAIR).slice(0, -9),
    'without its last byte': JSON.stringify(PAIR.slice(0, 63)),
    'with a word behind': `${JSON.stringify(PAIR)} x`,
    'with a name': JSON.stringify({ secretKey: PAIR }),
    'in a keystore': JSON.stringify({ keystore: 1, publicKey: toBase58(publicKeyOf(wallet)), secret: spelled.base58 }),
    'in a signer': JSON.stringify({ signer: ['/bin/true', spelled.long], publicKey: spelled.base58, key: PAIR }),
    'in broken JSON': `{"secretKey":${JSON.stringify(PAIR)}`,
    'in hex': spelled.hex,
    'in base64': spelled.base64,
    'in base64 without padding': spelled['base64 without padding'],
    'in base64url': spelled.base64url,
    'in half': spelled.hex.slice(0, 32),
    'in half of base58': spelled.base58.slice(0, 22),
    'in half of base64': spelled.base64.slice(0, 24),
    twice: `${spelled.base58}${spelled.base58}`,
    'on two lines': `${spelled.base58}\n${spelled.base58}`,
    'with another public half': toBase58(Uint8Array.from([...wallet, ...wallet])),
  };

  test.each(Object.entries(damaged))('a key file: %s', async (name, text) => {
    const file = put(`damaged ${name}`, text);
    for (const argv of [
      ['keys', 'show', file],
      ['keys', 'encrypt', file],
      [...hosted, '--key', file],
    ])
      expect(found(await outputOf(argv, { TICKWRIGHT_PASSPHRASE_FILE: words }), CANARIES)).toEqual([]);
  });

  test.each(Object.entries(damaged))('a configuration that holds a key: %s', async (name, text) => {
    const file = put(`config ${name}`, `strategy: grid\nparams:\n  note: ${text}\n  levels: x\n`);
    expect(found(await outputOf(['--config', file]), CANARIES)).toEqual([]);
  });

  test.each(Object.entries(spelled))('a key on the command line: %s', async (_, text) => {
    for (const argv of [
      [...hosted, '--key', text],
      [...hosted, `--key=${text}`],
      ['--strategy', 'grid', '--set', `params.size=${text}`],
      ['--strategy', 'grid', '--set', text],
      ['--strategy', 'grid', '--set', `${text}=1`],
      ['--strategy', text],
      ['keys', 'show', text],
      ['keys', text],
      [text],
      ['run', `--${text}`],
      [...hosted.slice(0, -2), text, '--live', '--key', key],
      ['run', '--strategy', 'grid', '--account', text],
      ['run', '--strategy', 'grid', '--for', text],
      ['run', '--strategy', 'grid', '--exchange', text],
    ])
      expect({ argv, found: found(await outputOf(argv), CANARIES) }).toEqual({ argv, found: [] });
  });

  test('passphrases and signers that fail', async () => {
    const keystore = put('wrong.keystore', JSON.stringify(await sealKeystore(wallet, Buffer.from(PASSPHRASE))));
    const wrong = put('wrong words', `${spelled.base58}\n`);
    expect(found(await outputOf([...hosted, '--key', keystore], { TICKWRIGHT_PASSPHRASE_FILE: wrong }), CANARIES)).toEqual([]);
    expect(found(await outputOf([...hosted, '--key', keystore]), CANARIES)).toEqual([]);
    const talker = put(
      'talker',
      JSON.stringify({
        signer: node(`console.error(${JSON.stringify(spelled.list)});process.exit(1)`),
        publicKey: toBase58(publicKeyOf(wallet)),
      }),
    );
    const opened = await openKey(talker, () => Promise.reject(new Error('no')));
    const error: unknown = await opened.signSession(Uint8Array.of(1)).catch((thrown: unknown) => thrown);
    expect(found([artefact('error', `${String(error)}${(error as Error).stack}`)], CANARIES)).toEqual([]);
  });
});
