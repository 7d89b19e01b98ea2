// Latency models of requests to the exchange and back, and their notation on the command line. Default of a backtest: 20 ms each way.

import type { Clock, Millis } from '../../base/clock.ts';
import { assert, UserError } from '../../base/errors.ts';
import type { Rng } from '../../base/rng.ts';
import { isDecimalText } from '../../base/text/decimal.ts';

/** The travel times of one request, each direction by itself. */
export interface Trip {
  readonly there: Millis;
  readonly back: Millis;
}

/** The distribution of the travel times; `draw` is called once per request. */
export interface LatencyModel {
  draw(): Trip;
}

/** The models of polls (`seen`) and of actions (`sent`). */
export interface Latencies {
  readonly seen: LatencyModel;
  readonly sent: LatencyModel;
}

/**
 * `constant`: always the same. `lognormal`: each direction drawn separately, with the given median and 99th percentile. `recorded`: receive time
 * minus exchange time of the tape; polls use the lag at that time, actions draw one of the latest lags.
 */
export type LatencySpec =
  | { readonly kind: 'constant'; readonly there: Millis; readonly back: Millis }
  | { readonly kind: 'lognormal'; readonly median: Millis; readonly p99: Millis }
  | { readonly kind: 'recorded' /** A factor on the recorded lags; 1 by default. */; readonly times?: number | undefined };

/** The recorder's latency. */
export interface Lags {
  /** Returns the lag at a time. */
  at(now: Millis): Millis;
  /** Returns one of the latest lags at that time, at random. */
  draw(now: Millis, rng: Rng): Millis;
}

export interface LatencyTools {
  readonly rng: Rng;
  readonly clock: Clock;
  /** Needed for the recorded latency. */
  readonly lags?: Lags | undefined;
}

/** Maximum of one direction, so that no request times out: late and failed answers are not simulated. */
export const LONGEST: Millis = 1_000;

/** Returns the models of a specification, with randomness of their own. */
export function latenciesOf(spec: LatencySpec, { rng, clock, lags }: LatencyTools): Latencies {
  const seen = rng.fork('seen');
  const sent = rng.fork('sent');
  switch (spec.kind) {
    case 'constant': {
      const trip: Trip = { there: withinLimits(spec.there), back: withinLimits(spec.back) };
      const always: LatencyModel = { draw: () => trip };
      return { seen: always, sent: always };
    }
    case 'lognormal':
      return { seen: drawing(lognormal(spec, seen)), sent: drawing(lognormal(spec, sent)) };
    case 'recorded': {
      assert(lags !== undefined, 'there is no recorded latency without a recording');
      const { times = 1 } = spec;
      return { seen: drawing(() => times * lags.at(clock.now())), sent: drawing(() => times * lags.draw(clock.now(), sent)) };
    }
  }
}

const drawing = (direction: () => Millis): LatencyModel => ({
  draw: () => ({ there: withinLimits(direction()), back: withinLimits(direction()) }),
});

/** Limits a span to 0 to LONGEST, in whole microseconds: a clock of milliseconds since 1970 cannot hold finer ones. */
const withinLimits = (span: Millis): Millis => Math.round(Math.min(LONGEST, Math.max(0, span)) * 1_000) / 1_000;

/** The 99th percentile of the standard normal distribution. */
const Z99 = 2.3263478740408408;

function lognormal({ median, p99 }: { median: Millis; p99: Millis }, rng: Rng): () => Millis {
  const sigma = Math.log(p99 / median) / Z99;
  return () => median * Math.exp(sigma * rng.normal());
}

/** Returns the same latency, multiplied by `times`. */
export function slowed(spec: LatencySpec, times: number): LatencySpec {
  switch (spec.kind) {
    case 'constant':
      return { kind: 'constant', there: spec.there * times, back: spec.back * times };
    case 'lognormal':
      return { kind: 'lognormal', median: spec.median * times, p99: spec.p99 * times };
    case 'recorded':
      return { kind: 'recorded', times: (spec.times ?? 1) * times };
  }
}

/**
 * Parses a latency: `20` ms each way, `10,15` to the exchange and back, `20~200` median and 99th percentile each way, or `recorded`. Throws a
 * UserError `latency` for any other text.
 */
export function parseLatency(text: string): LatencySpec {
  if (text === 'recorded') return { kind: 'recorded' };
  const [, first = '', mark, second] = /^([^,~]*)(?:([,~])([^,~]*))?$/.exec(text) ?? [];
  const one = spanOf(first, text);
  const other = spanOf(second ?? first, text);
  if (mark !== '~') return { kind: 'constant', there: one, back: other };
  if (one === 0 || other < one) throw unreadable(text, 'in median~p99 the median must be above 0, and p99 not below it');
  return { kind: 'lognormal', median: one, p99: other };
}

function spanOf(part: string, text: string): Millis {
  const span = isDecimalText(part) ? Number(part) : Number.NaN;
  if (!(span >= 0 && span <= LONGEST)) throw unreadable(text, `expected milliseconds from 0 to ${LONGEST}`);
  return span;
}

const unreadable = (text: string, expected: string): UserError =>
  new UserError({
    code: 'latency',
    message: `--latency "${text}" is not a latency: ${expected}`,
    hint: 'write 20 for 20 ms each way, 10,15 for to the exchange and back, 20~200 for median and 99th percentile, or recorded',
  });
