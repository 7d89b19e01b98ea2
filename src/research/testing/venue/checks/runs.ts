// Checks 50 to 54 of an adapter: whole runs of the grid, compared with the exchange's own record.
import type { Millis } from '../../../../base/clock.ts';
import { counted } from '../../../../base/text/phrases.ts';
import type { FaultKind, Plan } from '../../../simulation/plan/faults.ts';
import { ensure, type VenueSubject } from '../bench.ts';
import type { VenueCheck } from '../venue-check.ts';
import { disagreements, playWhole } from '../whole-run.ts';

const FAULTY: Millis = 60_000;
/** Each request has its chance to be struck, during the whole time. */
const struck = (...kinds: readonly (readonly [kind: FaultKind, chance: number, amount?: number])[]): Plan =>
  kinds.map(([kind, chance, amount]) => ({ id: kind, kind, from: 5_000, until: FAULTY, path: 'all', chance, amount }));

const crashes = (...times: readonly Millis[]): Plan =>
  times.map((from, index) => ({ id: `crash ${index}`, kind: 'crash', from, until: from, detail: index % 2 === 0 ? 'kill' : 'power' }));

async function play(subject: VenueSubject, { plan }: { plan?: Plan }): Promise<string> {
  const { seed } = subject;
  const result = await playWhole({ subject, seed, plan, ...(plan !== undefined && { faultyMs: FAULTY }) });
  const found = disagreements(result, subject.fake);
  ensure(found.length === 0, `seed ${seed}: ${found.slice(0, 3).join('; ')}`);
  const [orders, fills] = [result.exchange.orders().length, result.exchange.fills().length];
  ensure(orders > 5 && fills > 0, `seed ${seed}: the run placed ${orders} orders and had ${fills} fills, too few to say anything`);
  const times = [...result.struck.values()].reduce((sum, count) => sum + count, 0);
  return `${orders} orders, ${counted(fills, 'fill')}, ${counted(times, 'fault')}: each order once, nothing left behind, fills, fees and position as the exchange's`;
}

export const RUN_CHECKS: readonly VenueCheck[] = [
  {
    number: 50,
    name: 'run',
    prevents: 'the parts are right, and a run of them is not',
    run: (subject) => play(subject, { plan: [] }),
  },
  {
    number: 51,
    name: 'run with losses',
    prevents: 'an order is doubled or forgotten when requests and replies are lost or late',
    run: (subject) =>
      play(subject, {
        plan: struck(['dropRequest', 0.03], ['dropReply', 0.05], ['delayReply', 0.05, 2_000], ['delayRequest', 0.03, 2_000]),
      }),
  },
  {
    number: 52,
    name: 'run with copies',
    prevents: 'a proxy that sends requests twice doubles orders, or makes the bot believe that they were refused',
    needs: ['unique-ids'],
    run: (subject) => play(subject, { plan: struck(['duplicate', 0.1, 300], ['retryProxy', 0.05, 500]) }),
  },
  {
    number: 53,
    name: 'run that is killed',
    prevents: 'after a crash orders rest that nobody knows, or fills count twice',
    run: (subject) => play(subject, { plan: [...crashes(15_000, 30_000, 45_000), ...struck(['dropReply', 0.03])] }),
  },
  {
    number: 54,
    name: 'smoke',
    prevents: 'what nobody has thought of: faults of the network, the disk and the process together; another --seed plays others',
    run: (subject) => play(subject, {}),
  },
];
