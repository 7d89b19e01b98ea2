// An exchange that records commands before executing them, so that a restart can repeat them on the recorded market.
import type { Millis, VirtualClock } from '../../base/clock.ts';
import type { CancelOutcome, CancelRequest, PlaceOutcome, PlaceRequest } from '../exchange/commands.ts';
import { Exchange } from '../exchange/exchange.ts';

/** A command and the exchange time at which it was executed. */
export type PaperCommand =
  | { readonly kind: 'place'; readonly at: Millis; readonly request: PlaceRequest }
  | { readonly kind: 'cancel'; readonly at: Millis; readonly request: CancelRequest };

/** Records its commands once `record` is set. */
export class RecordingExchange extends Exchange {
  record: ((command: PaperCommand) => void) | undefined;

  override place(request: PlaceRequest): PlaceOutcome {
    this.record?.({ kind: 'place', at: this.now(), request });
    return super.place(request);
  }

  override cancel(request: CancelRequest): CancelOutcome {
    this.record?.({ kind: 'cancel', at: this.now(), request });
    return super.cancel(request);
  }
}

/** Executes recorded commands at their times. The rows up to the last of them must have been added. */
export function repeatCommands(commands: readonly PaperCommand[], { exchange, clock }: { exchange: Exchange; clock: VirtualClock }): void {
  for (const command of commands) {
    clock.at(command.at, () => {
      exchange.advanceTo(command.at);
      if (command.kind === 'place') exchange.place(command.request);
      else exchange.cancel(command.request);
    });
  }
}
