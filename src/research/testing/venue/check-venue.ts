// Makes the checks of an adapter against the fake exchange of its author.
// fake.ts, result.ts            what the author writes; what a check returns, and what decides whether it applies
// bench.ts, line.ts, recorder.ts  an exchange for one check, its connections, and what was reported
// altered-replies.ts            answers with one thing changed
// checks/                       the checks, by what they are about
// serve-fake.ts                 the fake on a local port
// whole-run.ts                  runs of the bot with the faults of the simulation: other-traders.ts, learn-paths.ts
import { UserError } from '../../../base/errors.ts';
import { suggestion } from '../../../base/text/phrases.ts';
import type { VenueDefinition } from '../../../venues/kind/modules/define-venue.ts';
import { errorText, Mistake, subjectOf, VenueBench, type VenueSubject } from './bench.ts';
import { ACCOUNT_CHECKS } from './checks/account.ts';
import { CANCEL_CHECKS } from './checks/cancels.ts';
import { FILL_CHECKS } from './checks/fills.ts';
import { LISTING_CHECKS } from './checks/listing.ts';
import { MARKET_DATA_CHECKS } from './checks/market-data.ts';
import { OPERATION_CHECKS } from './checks/operation.ts';
import { ORDER_CHECKS } from './checks/orders.ts';
import { PROOF_CHECKS } from './checks/proof.ts';
import { RUN_CHECKS } from './checks/runs.ts';
import { SOCKET_CHECKS } from './checks/sockets.ts';
import type { FakeDefinition } from './fake.ts';
import { CAPABILITIES, type VenueCapability, type VenueCheckOptions, type VenueCheckResult } from './result.ts';
import type { VenueCheck } from './venue-check.ts';

/** All checks, by their numbers. */
export const VENUE_CHECKS: readonly VenueCheck[] = [
  ...LISTING_CHECKS,
  ...MARKET_DATA_CHECKS,
  ...ACCOUNT_CHECKS,
  ...ORDER_CHECKS,
  ...PROOF_CHECKS,
  ...CANCEL_CHECKS,
  ...FILL_CHECKS,
  ...SOCKET_CHECKS,
  ...OPERATION_CHECKS,
  ...RUN_CHECKS,
];

/**
 * Checks an adapter against a fake of its exchange, on virtual time: nothing is sent anywhere. Resolves with one verdict for each check. Throws a
 * UserError if the adapter or the fake cannot be used at all, and for a check that does not exist.
 */
export async function checkVenue<K>(
  venue: VenueDefinition<K>,
  fake: FakeDefinition,
  { only, seed = 'check', onCapabilities, onStart, onResult }: VenueCheckOptions = {},
): Promise<readonly VenueCheckResult[]> {
  const subject = subjectOf(venue, fake, seed);
  const checks = chosen(only);
  const has = await capabilitiesOf(subject);
  onCapabilities?.(has);
  const results: VenueCheckResult[] = [];
  for (const [index, check] of checks.entries()) {
    onStart?.(check.name, index / checks.length);
    const result = await resultOf(check, subject, has);
    results.push(result);
    onResult?.(result);
  }
  return results;
}

function chosen(only: VenueCheckOptions['only']): readonly VenueCheck[] {
  if (only === undefined) return VENUE_CHECKS;
  const names = VENUE_CHECKS.map(({ name }) => name);
  return only.map((wanted) => {
    const check = VENUE_CHECKS.find(({ number, name }) => name === wanted || String(number) === String(wanted));
    if (check !== undefined) return check;
    throw new UserError({ code: 'check', message: `there is no check "${wanted}" of an adapter`, hint: suggestion(String(wanted), names) });
  });
}

async function capabilitiesOf(subject: VenueSubject): Promise<ReadonlySet<VenueCapability>> {
  const { fake, venue } = subject;
  const bench = await new VenueBench(subject).open({ connected: false }).catch((error: unknown) => {
    throw new UserError({
      code: 'fake',
      message: `the adapter cannot read the listing of the fake exchange: ${errorText(error)}`,
      hint: 'let the fake answer as the exchange does, and see that its market is listed',
    });
  });
  const dialing = bench.clientOver(bench.line, { dial: true });
  const derived: Readonly<Record<Exclude<VenueCapability, FakeDefinition['can'][number]>, boolean>> = {
    perpetual: bench.market.spec.kind === 'perp',
    spot: bench.market.spec.kind === 'spot',
    key: venue.keyFile !== undefined,
    socket: dialing.streams !== undefined && bench.exchange.connect !== undefined,
    settle: bench.client.settle !== undefined,
    candles: bench.client.candles !== undefined,
  };
  const found = new Set<VenueCapability>(fake.can);
  for (const name of CAPABILITIES) if (name in derived && derived[name as keyof typeof derived]) found.add(name);
  return found;
}

async function resultOf(
  { number, name, prevents, needs = [], run }: VenueCheck,
  subject: VenueSubject,
  has: ReadonlySet<VenueCapability>,
): Promise<VenueCheckResult> {
  const lacks = needs.filter((need) => !has.has(need));
  if (lacks.length > 0) return { number, name, verdict: 'skip', reason: `needs ${lacks.join(', ')}`, prevents };
  try {
    return { number, name, verdict: 'pass', reason: await run(subject), prevents };
  } catch (error) {
    const reason = error instanceof Mistake ? error.message : `the adapter failed: ${errorText(error)}`;
    return { number, name, verdict: 'fail', reason, prevents };
  }
}
