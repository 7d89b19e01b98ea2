// A paper run: the public data of a real exchange, and a simulated account. Chosen by `--paper` together with an exchange that has such data.

import { checkAddress, requireNone, requireUrl, wrongFlags } from '../../venues/kind/flags.ts';
import type { VenueFacts, VenueFlags, VenueKind, VenuePlan } from '../../venues/kind/venue-kind.ts';
import type { QueueModel } from '../exchange/recorded/queue.ts';
import { paperAccountHolder } from './options.ts';

interface PaperFacts extends VenueFacts {
  readonly kind: 'paper';
  /** The name of the exchange at `url`. */
  readonly of: string;
  readonly url: string;
}

/** Returns the kind of paper runs. `hasFeed` says whether a name is that of an exchange with public data; `usual` is one. */
export const paperOn = (hasFeed: (name: string) => boolean, usual: string): VenueKind<PaperFacts> => ({
  name: 'paper',
  outlivesRun: true,
  leavesTape: true,
  facts: (zod) => zod.object({ kind: zod.literal('paper'), of: zod.string().refine(hasFeed), url: zod.string() }),
  recover: ({ url, of = usual }) => (url === undefined ? undefined : { kind: 'paper', of, url }),
  killTexts: {
    ended: 'its account is simulated: no order of it rests at an exchange',
    alive: 'its process has not ended: end it yourself; no order of it rests at an exchange',
  },
  exchangeAt: ({ of }) => of,
});

/** Plans a paper run. Reads no key, because nothing is signed. */
export async function planPaper(flags: VenueFlags, { paper, of }: { paper: VenueKind; of: VenueKind }): Promise<VenuePlan> {
  const { feed: connectFeed } = of;
  if (connectFeed === undefined) throw wrongFlags(`${of.name} has no data for --paper`, 'leave out --paper');
  if (flags.live) throw wrongFlags('--paper and --live exclude each other', 'give one of them');
  const hint = 'a paper run signs nothing, so it reads no key and has a simulated account';
  requireNone(flags, { of: ['key', 'account', 'schema'], who: '--paper', hint });
  const url = await requireUrl(of, flags);
  await checkAddress(url);
  const { latency, queue, deposit, fees, record } = flags;
  const [{ parseLatency }, { parseQueue }] = await Promise.all([import('../adapter/latency.ts'), import('./options.ts')]);
  const assumptions = {
    latency: latency === undefined ? undefined : parseLatency(latency),
    queue: queue === undefined ? undefined : paperQueue(parseQueue(queue)),
    deposit,
    fees,
    record,
  };
  const facts: PaperFacts = { kind: 'paper', of: of.name, url, ...(of.module !== undefined && { module: of.module }) };
  return {
    kind: paper,
    runName: [of.name.replace(':', '-'), 'paper'],
    holder: paperAccountHolder(url),
    facts: () => facts,
    open: async (options) => (await import('./open.ts')).openPaper({ ...options, connectFeed, url, assumptions }),
  };
}

function paperQueue(queue: QueueModel): QueueModel {
  if (queue.kind !== 'exact') return queue;
  throw wrongFlags(
    '--queue exact needs the ids of all orders, which polls do not show',
    'use --queue conservative or --queue probabilistic',
  );
}
