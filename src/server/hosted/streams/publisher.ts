// One stream and its listeners. Each `pump` sends the changes since the previous one.
import { type Json, jsonText } from '../../reply.ts';

export type Send = (text: string) => void;

/** Shows one kind of stream: `changes` returns a frame with the changes since the last call; undefined if there are none. */
export interface Viewer {
  readonly changes: () => Json | undefined;
}

/** All listeners get the same frames, so that sequence numbers have no gaps. Nothing is computed without listeners. */
export class StreamPublisher {
  readonly #open: () => Viewer;
  readonly #listeners = new Set<Send>();
  #viewer: Viewer | undefined;

  /** Frames contain only changes after `open`. */
  constructor(open: () => Viewer) {
    this.#open = open;
  }

  /** Returns a function that removes the listener. */
  listen(send: Send): () => void {
    this.#viewer ??= this.#open();
    this.#listeners.add(send);
    return () => {
      this.#listeners.delete(send);
      if (this.#listeners.size === 0) this.#viewer = undefined;
    };
  }

  sendChanges(): void {
    const frame = this.#viewer?.changes();
    if (frame === undefined) return;
    const text = jsonText(frame);
    for (const send of this.#listeners) send(text);
  }
}
