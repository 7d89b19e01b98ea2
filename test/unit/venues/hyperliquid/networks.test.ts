// The network for which actions are signed follows from the address: of a run, of `kill` and of the watchdog. Nothing is sent to the exchange here.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { rngFrom } from '../../../../src/base/rng.ts';
import { type Handler, type Transport, TransportError } from '../../../../src/base/transport/transport.ts';
import { Market } from '../../../../src/bot/domain/market.ts';
import { lots, ticks } from '../../../../src/bot/domain/numbers.ts';
import { HYPERLIQUID } from '../../../../src/venues/hyperliquid/kind.ts';
import { clientParts } from '../../../../src/venues/hyperliquid/open.ts';
import { ADDRESSES, networkAt } from '../../../../src/venues/hyperliquid/rules.ts';
import { action } from '../../../../src/venues/wire/hyperliquid/actions.ts';
import { actionSigner, type HyperliquidNetwork } from '../../../../src/venues/wire/hyperliquid/sign.ts';
import type { Signature } from '../../../../src/venues/wire/hyperliquid/typed-data.ts';
import { MASTER, STAND_IN } from '../../../hyperliquid/agent.ts';
import { embeddedOn, ONE_MARKET, QUIET } from '../../../replay/virtual-run.ts';

const signature = z.object({ r: z.string(), s: z.string(), v: z.number() });
const noop = z.object({ name: z.literal('noop'), nonce: z.number(), testnet: signature, mainnet: signature });
const { key, address, vectors } = z
  .object({ key: z.string(), address: z.string().toLowerCase(), vectors: z.array(z.unknown()) })
  .parse(JSON.parse(readFileSync(new URL('../../../fixtures/hyperliquid/signing-vectors.json', import.meta.url), 'utf8')));
const [NOOP] = vectors.flatMap((vector) => noop.safeParse(vector).data ?? []);
const KEY = { secret: Buffer.from(key.slice(2), 'hex'), agent: address, master: MASTER };
const [BTC] = ONE_MARKET.map(({ spec }) => new Market(spec));
const ORDER = { market: BTC!.id, side: 'bid', price: ticks(590_000), size: lots(1_000) } as const;
const CHOICES: readonly [HyperliquidNetwork, string][] = [
  ['mainnet', ADDRESSES.mainnet],
  ['testnet', ADDRESSES.testnet],
  ['testnet', STAND_IN],
];

const sentAction = z.object({ action, nonce: z.number(), expiresAfter: z.number().nullable(), signature });
/** A transport whose reads `handler` answers, and nothing answers actions; and the actions that it was given. */
function recording(handler?: Handler) {
  const sent: z.output<typeof sentAction>[] = [];
  const transport: Transport = {
    request: (request) => {
      if (handler !== undefined && request.path === '/info') return Promise.resolve(handler(request));
      sent.push(sentAction.parse(JSON.parse(new TextDecoder().decode(request.body))));
      return Promise.reject(new TransportError('noReply', 'lost'));
    },
    close: () => Promise.resolve(),
  };
  return { sent, transport };
}

/** Returns the path of a new key file of the agent of the vectors. */
function keyFile(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'networks-')), 'agent.key');
  writeFileSync(file, `${key} ${MASTER}\n`, { mode: 0o600 });
  return file;
}
const NO_PASSPHRASE = { passphrase: () => Promise.reject(new Error('no passphrase is asked for')) };
const numbersOf = ({ r, s, v }: Signature) => ({ r: BigInt(r), s: BigInt(s), v });
const signerAs = (network: HyperliquidNetwork, sent: z.output<typeof sentAction> | undefined) =>
  sent && actionSigner({ ...sent, expiresAfter: sent.expiresAfter ?? undefined }, { signature: sent.signature, network });

test.each([...CHOICES, ['mainnet', 'https://API.hyperliquid.xyz:443/info'], ['testnet', 'http://api.hyperliquid.xyz']] as const)(
  'actions are signed for %s at %s',
  (network, url) => expect(networkAt(url)).toBe(network),
);

test.each(CHOICES)('a run signs orders and the proof of their absence for %s at %s', async (network, url) => {
  const clock = new VirtualClock(NOOP!.nonce);
  const { sent, transport } = recording();
  const client = clientParts({ url, clock, key: KEY, log: QUIET, state: { earlier: [] } }).clientOver(transport);
  const order = { kind: 'place', clientOrderId: '7', fillMode: 'POST_ONLY', ...ORDER } as const;
  const [prepared] = client.prepare([order], { latestSecond: clock.now() / 1_000, marketOf: () => BTC! });
  if (prepared?.kind !== 'ready') throw new Error('the order is not ready');
  await expect(prepared.send()).rejects.toThrow('lost');
  await expect(client.settle?.(order)).rejects.toThrow('lost');
  const other = network === 'mainnet' ? 'testnet' : 'mainnet';
  expect([signerAs(network, sent[0]), sent[1]?.nonce]).toEqual([address, NOOP!.nonce]);
  expect(signerAs(other, sent[0])).not.toBe(address);
  expect(numbersOf(sent[1]!.signature), 'as the official SDK signs it').toEqual(numbersOf(NOOP![network]));
});

test.each(CHOICES)('kill and the watchdog sign cancels for %s at %s', async (network, url) => {
  const clock = new VirtualClock(NOOP!.nonce);
  const { hyperliquid } = await embeddedOn(clock, { seed: 'networks', markets: ONE_MARKET });
  const { sent, transport } = recording(hyperliquid);
  const facts = { kind: 'hyperliquid', url, key: keyFile() };
  const options = { directory: '', clock, rng: rngFrom('networks'), log: QUIET, transport, hasTraded: () => true, firstNonce: 0 };
  const canceller = await HYPERLIQUID.canceller?.(facts, { ...options, openKey: () => Promise.reject(new Error('there is no wallet')) });
  await expect(canceller?.cancel({ orderId: '7', market: 'BTCUSDC' })).rejects.toThrow('lost');
  expect([sent[0]?.action.type, signerAs(network, sent[0])]).toEqual(['cancel', address]);
});

test.each([
  ['testnet', ['hyperliquid', 'testnet']],
  ['mainnet', ['hyperliquid']],
  [undefined, ['hyperliquid']],
] as const)('a run with --network %s has a name of its own', async (network, runName) => {
  const flags = {
    exchange: 'hyperliquid',
    schema: 'bundled',
    key: keyFile(),
    live: true,
    ...(network !== undefined && { network }),
  } as const;
  const plan = await HYPERLIQUID.plan?.(flags, NO_PASSPHRASE);
  expect(plan).toMatchObject({ runName, holder: { url: ADDRESSES[network ?? 'mainnet'] } });
});

test('real money is traded with --live only, and with a warning that nobody has tried it', async () => {
  const flags = { exchange: 'hyperliquid', schema: 'bundled', key: 'agent.key' };
  await expect(HYPERLIQUID.plan?.(flags, NO_PASSPHRASE)).rejects.toThrow('--exchange hyperliquid needs --paper or --live');
  const warned = CHOICES.map(([, url]) => {
    const warnings: string[] = [];
    const own = { clock: new VirtualClock(0), key: KEY, log: QUIET, state: { earlier: [] } };
    clientParts({ ...own, url, warn: (text) => warnings.push(text) }).clientOver(recording().transport);
    return warnings;
  });
  expect(warned).toEqual([[expect.stringMatching(/real money.*nobody has tried.*hyperliquid\.md/)], [], []]);
});
