// The kind of an exchange whose code is a module of another author. It is loaded when it is first needed, so facts of its runs can be read without it.
import { UserError } from '../../../base/errors.ts';
import { readPrivate } from '../../../base/keys/private-file.ts';
import type { Rng } from '../../../base/rng.ts';
import type { VenueClient } from '../../../bot/exchange/kit/venue-client.ts';
import { type DoctorCheck, failed } from '../../operate/check.ts';
import { type ClientCode, clientKind, type KeyFile } from '../client-kind.ts';
import type { VenueFacts, VenueKind } from '../venue-kind.ts';
import type { ClientOptions, VenueDefinition } from './define-venue.ts';
import { changeOf, type LoadedVenue, loadAgain, loadVenue, type VenueModule } from './load-venue.ts';

/** Loads the exchange that a path or the name of a package means. */
export const loadedKind = async (named: string): Promise<VenueKind> => kindOf(await loadVenue(named));

/** Returns the kind of a run whose facts name its module. Nothing is loaded before an account is opened or checked. */
export function kindOfFacts({ kind: name, module }: VenueFacts & { readonly module: VenueModule }): VenueKind {
  let loading: Promise<VenueKind> | undefined;
  const loaded = (): Promise<VenueKind> => {
    loading ??= (async () => kindOf(await loadAgain(module)))();
    return loading;
  };
  return {
    name,
    outlivesRun: true,
    exampleUrl: 'https://api.example.com',
    module,
    facts: (zod) => zod.object({ kind: zod.literal(name) }).loose(),
    recover: (known) => recovered(name, { ...known, module }),
    async canceller(facts, options) {
      const kind = await loaded();
      return kind.canceller!(facts, options);
    },
    async runChecks(options) {
      const kind = await loaded();
      return [moduleCheck(module), ...((await kind.runChecks?.(options)) ?? [])];
    },
    feed: async (options) => (await loaded()).feed!(options),
    checkKey: privateCheck,
  };
}

function moduleCheck(module: VenueModule): DoctorCheck {
  const changed = changeOf(module);
  if (changed === undefined) return { check: 'module', verdict: 'ok', says: `${module.file} is as at the start of the run` };
  return { check: 'module', verdict: 'warn', says: changed, fix: 'check the change, then restart the run' };
}

/** The module, which says what a key is, is not loaded for this check. */
function privateCheck(file: string): DoctorCheck {
  try {
    readPrivate(file, { what: 'key file', hint: 'give the key file of the run' }).fill(0);
    return { check: 'key', verdict: 'ok', says: `${file} is private` };
  } catch (error) {
    return failed('key', error);
  }
}

const recovered = (kind: string, { url, key, module }: Omit<VenueFacts, 'kind'>): VenueFacts | undefined =>
  url === undefined ? undefined : { kind, url, ...(key !== undefined && { key }), ...(module !== undefined && { module }) };

function kindOf({ definition, module }: LoadedVenue): VenueKind {
  const { name, who, exampleUrl, keyFile } = definition;
  return clientKind({
    name,
    exampleUrl,
    who,
    hint: keyFile === undefined ? 'it has no accounts to choose from' : 'its key names the account',
    ...(keyFile !== undefined && { keyFile: keyReader(keyFile) }),
    code: async () => codeOf(definition),
    module,
  });
}

const keyReader = ({ hint, parse, textOf }: NonNullable<VenueDefinition<unknown>['keyFile']>): KeyFile<unknown> => ({
  hint,
  textOf,
  read(file) {
    const key = parse(new TextDecoder().decode(readPrivate(file, { what: 'key file', hint })));
    if (key === undefined) throw new UserError({ code: 'key', message: `${file} holds no key`, hint });
    return key;
  },
});

async function codeOf(definition: VenueDefinition<unknown>): Promise<ClientCode<unknown>> {
  const [{ connectPublicFeed }, { dialAt }, { cancelCallsOf }, { checkCallsOf }, { openClient }, { rngFrom }] = await Promise.all([
    import('../../../bot/exchange/kit/connect-feed.ts'),
    import('../../../base/transport/socket.ts'),
    import('../../operate/client-canceller.ts'),
    import('../../operate/client-checks.ts'),
    import('../over-transport.ts'),
    import('../../../base/rng.ts'),
  ]);
  const holder: ClientCode<unknown>['holder'] = (url) => ({ exchange: definition.name, url: new URL(url).origin });
  const rng = rngFrom(`${definition.name} ${process.pid}`);
  const clientOf = (options: Omit<ClientOptions<unknown>, 'rng'> & { readonly rng?: Rng | undefined }): VenueClient =>
    definition.client({
      clock: options.clock,
      transport: options.transport,
      key: options.key,
      dial: options.dial,
      rng: options.rng ?? rng,
    });
  return {
    holder,
    open: ({ url, ...options }) =>
      openClient(
        { ...options, url },
        {
          holder: holder(url),
          clientOver: (transport) => clientOf({ ...options, transport, dial: dialAt(url), rng: options.rng.fork('client') }),
        },
      ),
    feed: (options) => connectPublicFeed(clientOf({ ...options, rng: options.rng.fork('client') }), options),
    cancelCalls: (options) => cancelCallsOf(clientOf(options)),
    checkCalls: (options) => checkCallsOf(clientOf(options), options.key !== undefined),
  };
}
