// Funding as reported by the process: the cost of the last hour, and our payments since the run began. The payments also count in what an account is worth
// at least (`bot/world/position/account-binding.ts`); no other decision depends on either.

import type { Clock, Millis } from '../../base/clock.ts';
import { orElse } from '../../base/transport/client-error.ts';
import { type LocalClient } from '../client/local/client.ts';
import { firstPage } from '../shared/cursor-pages.ts';
import type { FundingRate } from '../wire/json/local.ts';
import type { LocalListedMarket } from './listing.ts';

/** Interval of the requests; funding is settled only every hour. */
export const FUNDING_EVERY: Millis = 60_000;

export class LocalFunding {
  readonly #client: LocalClient;
  readonly #futures: readonly string[];
  readonly #since: Millis;
  readonly #costs = new Map<string, number>();
  readonly #paid = new Map<string, number>();

  constructor({ client, clock, listed }: { client: LocalClient; clock: Clock; listed: readonly LocalListedMarket[] }) {
    this.#client = client;
    this.#futures = listed.flatMap(({ name, market }) => (market.spec.kind === 'perp' ? [name] : []));
    this.#since = clock.now();
  }

  /** Returns what a long position of one base token paid in the last settled hour, in quote tokens; undefined if the process does not show it. */
  costOf(future: string): number | undefined {
    return this.#costs.get(future);
  }

  /** Returns what we have paid since the run began, in quote tokens; negative if we were paid. */
  paidIn(future: string): number {
    return this.#paid.get(future) ?? 0;
  }

  /** Reads the values again; values that cannot be read stay as they are. */
  async refresh(): Promise<void> {
    await Promise.all(
      this.#futures.flatMap((future) => [this.#refreshCost(future), this.#refreshPaid(future)].map((read) => orElse(read, undefined))),
    );
  }

  async #refreshCost(future: string): Promise<void> {
    const cost = lastCost((await firstPage(this.#client.fundingRates({ future }))) ?? []);
    if (cost !== undefined) this.#costs.set(future, cost);
  }

  async #refreshPaid(future: string): Promise<void> {
    let paid = 0;
    for await (const page of this.#client.fundingPayments({ future })) {
      const ours = page.filter((payment) => payment.future === future && Date.parse(payment.date) >= this.#since);
      paid += ours.reduce((sum, { payment }) => sum + payment, 0);
      if (ours.length < page.length) break;
    }
    this.#paid.set(future, paid);
  }
}

/** Returns the difference of the two newest indexes; undefined if both have the same time: then the process has ignored which future was asked for. */
function lastCost(rates: readonly FundingRate[]): number | undefined {
  const [newest, previous] = [...rates].sort((a, b) => Date.parse(b.date) - Date.parse(a.date));
  if (newest?.fundingIndex === undefined || previous?.fundingIndex === undefined || newest.date === previous.date) return undefined;
  return newest.fundingIndex - previous.fundingIndex;
}
