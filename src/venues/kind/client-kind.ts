// The kind of an exchange that needs only an address, and for some a key file: no session, no schema, and one account.
import { resolve } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import type { Transport } from '../../base/transport/transport.ts';
import type { PublicFeed } from '../../bot/exchange/port.ts';
import type { AccountHolder } from '../../bot/run/core/start-check.ts';
import type { OpenVenue } from '../../bot/run/core/venue.ts';
import { type DoctorCheck, failed } from '../operate/check.ts';
import type { CancelCalls } from '../operate/client-canceller.ts';
import type { CheckCalls } from '../operate/client-checks.ts';
import { checkAddress, requireLive, requireNone, requireUrl, wrongFlags } from './flags.ts';
import type { CancellerOptions, OpenOptions, VenueFacts, VenueKind } from './venue-kind.ts';

export interface ClientFacts extends VenueFacts {
  readonly url: string;
}

/** The file that `--key` names. */
export interface KeyFile<K> {
  /** What to do if the option is missing. */
  readonly hint: string;
  /** Throws or rejects with a UserError if the file cannot be read, or holds no key. */
  read(this: void, file: string): K | Promise<K>;
  /** Returns what `doctor` says about the key: `names the account 7`. */
  textOf(this: void, key: K): string;
}

type WithKey<K> = { readonly key: K | undefined };

/** `url` is the address behind `transport`. */
type CallOptions<K> = Pick<CancellerOptions, 'transport' | 'clock'> & WithKey<K> & { readonly url: string };

/** What the exchange's client does for the commands. */
export interface ClientCode<K> {
  holder(this: void, url: string): AccountHolder;
  open(this: void, options: OpenOptions & WithKey<K> & { readonly url: string; readonly streams?: true | undefined }): Promise<OpenVenue>;
  feed(this: void, options: Parameters<NonNullable<VenueKind['feed']>>[0]): Promise<PublicFeed>;
  cancelCalls(this: void, options: CallOptions<K>): CancelCalls;
  checkCalls(this: void, options: CallOptions<K>): CheckCalls;
}

export interface ClientExchange<K>
  extends Pick<VenueKind, 'name' | 'about' | 'exampleUrl' | 'addresses' | 'streams' | 'matchesDirectory' | 'module'> {
  /** The exchange in messages: `the local process`. */
  readonly who: string;
  /** Why it takes no options that choose an account, a schema or, without `keyFile`, a key. */
  readonly hint: string;
  readonly keyFile?: KeyFile<K> | undefined;
  /** Loads the client, which `--help` does not need. */
  code(this: void): Promise<ClientCode<K>>;
}

export function clientKind<K = never>({ who, hint, keyFile, code, ...named }: ClientExchange<K>): VenueKind<ClientFacts> {
  const { name, module } = named;
  const keyIn = async (file: string | undefined): Promise<K | undefined> => (file === undefined ? undefined : keyFile?.read(file));
  const kind: VenueKind<ClientFacts> = {
    ...named,
    outlivesRun: true,
    facts(zod) {
      const facts = zod.object({ kind: zod.literal(name), url: zod.string() });
      return keyFile === undefined ? facts : facts.extend({ key: zod.string() });
    },
    async plan(flags) {
      requireNone(flags, { of: [...(keyFile === undefined ? (['key'] as const) : []), 'account', 'schema'], who, hint });
      requireLive(flags);
      const url = await requireUrl(named, flags);
      if (keyFile !== undefined && flags.key === undefined) throw wrongFlags(`--exchange ${name} needs --key`, keyFile.hint);
      await checkAddress(url);
      const key = await keyIn(flags.key);
      const { holder, open } = await code();
      const file = flags.key && resolve(flags.key);
      return {
        kind,
        runName: [name, ...(flags.network === 'testnet' ? ['testnet'] : [])],
        holder: holder(url),
        facts: () => ({ kind: name, url, ...(file !== undefined && { key: file }), ...(module !== undefined && { module }) }),
        open: (options) => open({ ...options, url, key, streams: flags.streams }),
      };
    },
    recover({ url, key }) {
      if (url === undefined || (keyFile !== undefined && key === undefined)) return undefined;
      return { kind: name, url, ...(keyFile !== undefined && { key }), ...(module !== undefined && { module }) };
    },
    async canceller({ url, key: file }, { transport, clock, log }) {
      const calls = (await code()).cancelCalls({ url, transport, clock, key: await keyIn(file) });
      const { ClientCanceller } = await import('../operate/client-canceller.ts');
      return new ClientCanceller({ calls, clock, log, transport });
    },
    async runChecks({ url, key: given, facts }) {
      const { checkCalls } = await code();
      const { clientChecks } = await import('../operate/client-checks.ts');
      const file = given ?? facts?.key;
      const callsOver = async (transport: Transport) => checkCalls({ url, transport, clock: systemClock, key: await keyIn(file) });
      return clientChecks({ url, callsOver });
    },
    feed: async (options) => (await code()).feed(options),
    ...(keyFile !== undefined && { checkKey: (file: string) => keyCheck(file, keyFile) }),
  };
  return kind;
}

async function keyCheck<K>(file: string, { read, textOf }: KeyFile<K>): Promise<DoctorCheck> {
  try {
    return { check: 'key', verdict: 'ok', says: `${file} ${textOf(await read(file))}` };
  } catch (error) {
    return failed('key', error);
  }
}
