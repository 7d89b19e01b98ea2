// A run that a test controls.
import { EMPTY, Subject } from 'rxjs';
import type { FindingLine, Line } from '../../../../src/bot/accounting/lines.ts';
import type { Finding, Turn } from '../../../../src/bot/domain/turn.ts';
import type { Ending } from '../../../../src/bot/run/core/run.ts';
import { runNowOf, type Status } from '../../../../src/bot/run/core/run-now.ts';
import type { Trading } from '../../../../src/bot/run/core/trading.ts';
import { turn } from '../../report/turns.ts';
import { WorldBuilder } from '../../world-builder.ts';
import { SUMMARY } from './samples.ts';

export class FakeRun {
  readonly builder = new WorldBuilder();
  readonly stops: string[] = [];
  /** The current findings of guards and gates. */
  held: readonly Finding[] = [];
  readonly trading: Trading;
  readonly #turns = new Subject<Turn>();
  readonly #lines = new Subject<Line>();
  #end: (ending: Ending) => void = () => undefined;

  constructor() {
    const done = new Promise<Ending>((resolve) => {
      this.#end = resolve;
    });
    const endNow = (reason: string): void => void this.stops.push(reason);
    const stop = (reason: string): void => {
      if (this.builder.world.stopping !== undefined) return;
      this.stops.push(reason);
      this.builder.apply((at) => ({ kind: 'command', at, command: 'stop', reason }));
      this.turn();
    };
    const status: Status = { kind: 'status', at: '2026-01-02T03:04:05.678Z', pnl: '0.00', positions: {}, openOrders: 0 };
    this.trading = {
      run: {
        world: this.builder.world,
        decided: this.#turns,
        turns: this.#turns,
        done,
        stop,
        fail: () => stop('a bug in the program'),
        endNow,
        fingerprint: () => '',
      },
      lines: this.#lines,
      logs: EMPTY,
      stopIn: () => undefined,
      now: () => runNowOf(this.builder.world, { intents: [], findings: this.held, quality: undefined }),
      status: () => status,
      summary: () => SUMMARY,
    };
  }

  turn(): void {
    const at = this.builder.world.now;
    this.#turns.next(turn({ kind: 'timerFired', at }));
  }

  line(line: Line): void {
    this.#lines.next(line);
  }

  /** Reports index, book, account and time, so that the strategy may decide. */
  becomeFresh(): void {
    this.builder
      .info({ price: 100 })
      .book([[100, 1]], [[101, 1]])
      .account()
      .apply((at) => ({ kind: 'timeSeen', at, asked: at, engineSeconds: 1 }));
  }

  end(ending: Ending): void {
    this.#turns.complete();
    this.#lines.complete();
    this.#end(ending);
  }
}

export const FINDING: FindingLine = {
  kind: 'finding',
  at: '2026-01-02T03:04:05.678Z',
  guard: 'margin',
  verdict: 'refuse',
  market: 'BTCUSDC',
  reason: 'too little',
};
