// All judges of a run.
import { actions } from './checks/actions.ts';
import { bounds } from './checks/bounds.ts';
import { company } from './checks/company.ts';
import { conservation } from './checks/conservation.ts';
import { doubled } from './checks/doubled.ts';
import { endings } from './checks/endings.ts';
import { exposure } from './checks/exposure.ts';
import { facts } from './checks/facts.ts';
import { fence } from './checks/fence.ts';
import { ledger } from './checks/ledger.ts';
import { listing } from './checks/listing.ts';
import { orderOfTime } from './checks/order-of-time.ts';
import { orders } from './checks/orders.ts';
import { sessions } from './checks/sessions.ts';
import type { Check, Scene } from './scene.ts';

export function judgesOf(scene: Scene, { secrets, told }: { secrets: readonly Uint8Array[]; told: readonly string[] }): readonly Check[] {
  return [
    actions,
    orders,
    ledger,
    exposure,
    endings,
    doubled,
    orderOfTime,
    fence,
    sessions,
    listing,
    company,
    conservation,
    facts,
    bounds(secrets, told),
  ].map((make) => make(scene));
}
