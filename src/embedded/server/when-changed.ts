// When the streams of the embedded exchange have something to send.
import type { Exchange } from '../exchange/exchange.ts';
import { STEP } from '../exchange/rules/step.ts';

/** Returns a function that calls `send` if the exchange has executed an action or made a step since it last did so. */
export function whenChanged(exchange: Exchange, send: () => void): () => void {
  let sentState = '';
  return () => {
    const state = `${exchange.lastActionId()} ${Math.floor(exchange.now() / STEP)}`;
    if (state === sentState) return;
    sentState = state;
    send();
  };
}
