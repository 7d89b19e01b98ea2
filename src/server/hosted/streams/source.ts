// One stream with those who listen to it: it sends what has changed since it was looked at last.
import { type Json, jsonText } from '../../reply.ts';

export type Send = (text: string) => void;

/** What a kind of stream shows: `look` returns the frame since the look before, undefined if nothing has changed. */
export interface Viewer {
  readonly look: () => Json | undefined;
}

/** All listeners get the same frames, so that the numbers of one follow each other. Nothing is looked at while nobody listens. */
export class Source {
  readonly #open: () => Viewer;
  readonly #listeners = new Set<Send>();
  #viewer: Viewer | undefined;

  /** `open` begins with the present: what was before is in no frame. */
  constructor(open: () => Viewer) {
    this.#open = open;
  }

  /** Returns how the listener leaves. */
  listen(send: Send): () => void {
    this.#viewer ??= this.#open();
    this.#listeners.add(send);
    return () => {
      this.#listeners.delete(send);
      if (this.#listeners.size === 0) this.#viewer = undefined;
    };
  }

  pump(): void {
    const frame = this.#viewer?.look();
    if (frame === undefined) return;
    const text = jsonText(frame);
    for (const send of this.#listeners) send(text);
  }
}
