// All invariants of a run; that a run ends at all (V14) is checked in `research/simulation/simulation.ts`. What V1 to V28 mean is listed in
// docs/reliability.md.
// `research/simulation/environment/scene.ts`: what an invariant observes.
// `src/research/simulation/record/`: `truth.ts`: the exchange's own record. `durable-record.ts`: what the bot wrote to disk. `tolerated-faults.ts`: errors that
// the bot cannot avoid. `situations.ts`: the dangerous situations, which `situation-counter.ts` and the faults themselves count.

import type { Invariant, MakeCheck, Scene } from '../environment/scene.ts';
import { DEFAULT_EXCHANGE, type ExchangeName } from '../plan/faults-by-exchange.ts';
import { absenceEvidence } from './absence-evidence.ts';
import { actions, nonces } from './actions.ts';
import { books, orderOfTime } from './books.ts';
import { bounds } from './bounds.ts';
import { conservation } from './conservation.ts';
import { doubled } from './doubled.ts';
import { endings, operations } from './endings.ts';
import { exposure } from './exposure.ts';
import { foreignOrders } from './foreign-orders.ts';
import { funding } from './funding.ts';
import { ledger } from './ledger.ts';
import { listing } from './listing.ts';
import { orders } from './orders.ts';
import { profit } from './profit.ts';
import { irreversible, resumption } from './resumption.ts';
import { sessions } from './sessions.ts';
import { situationCounter } from './situation-counter.ts';

/** What the signatures of an exchange must hold to. */
const OWN: Readonly<Record<ExchangeName, MakeCheck>> = { hosted: sessions, hyperliquid: nonces };

export function invariantsOf(
  scene: Scene,
  { secrets, printed }: { secrets: readonly Uint8Array[]; printed: readonly string[] },
): readonly Invariant[] {
  return [
    actions,
    orders,
    ledger,
    profit,
    funding,
    exposure,
    endings,
    doubled,
    orderOfTime,
    books,
    absenceEvidence,
    OWN[scene.options.exchange ?? DEFAULT_EXCHANGE],
    listing,
    foreignOrders,
    conservation,
    operations,
    irreversible,
    resumption,
    situationCounter,
    bounds(secrets, printed),
  ].map((make) => make(scene));
}
