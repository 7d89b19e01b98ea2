// Has the trades of provisional fills read again, until their list shows a possible price and fee.
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

  /** Called after each turn. */
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
