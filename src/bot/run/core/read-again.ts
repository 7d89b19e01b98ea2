// Gives the venue the list of provisional fills (listed with an impossible price or fee, `bot/world/orders/judged-fills.ts`). The venue reads their trades
// again until the exchange lists a possible price and fee.
import type { Fill } from '../../domain/order.ts';
import type { Venue } from '../../exchange/port.ts';
import { asReported } from '../../world/orders/judged-fills.ts';
import type { World } from '../../world/world.ts';

export class ReadAgain {
  readonly #venue: Pick<Venue, 'readAgain'>;
  readonly #world: World;
  #provisional: readonly Fill[] = [];
  #inEach = false;

  constructor({ venue, world }: { readonly venue: Pick<Venue, 'readAgain'>; readonly world: World }) {
    this.#venue = venue;
    this.#world = world;
  }

  /** Called after each turn. Gives the venue the list if it has changed, and when the run begins to stop. */
  check(): void {
    const { judgedFills, stopping } = this.#world;
    const { provisional } = judgedFills;
    const inEach = stopping !== undefined; // a stopping run makes few reads
    if (provisional === this.#provisional && inEach === this.#inEach) return;
    this.#provisional = provisional;
    this.#inEach = inEach;
    this.#venue.readAgain?.(provisional.map(asReported), { inEach });
  }
}
