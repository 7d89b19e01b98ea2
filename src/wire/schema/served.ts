// Finds the messages that the embedded exchange serves in a schema that was loaded.
import { Type } from 'protobufjs';
import { assert } from '../../base/assert.ts';
import type { Needs } from './needs.ts';
import { parseProto } from './proto-text.ts';
import { resolve, type Shape } from './resolve.ts';
import type { ActionSchema } from './schema.ts';
import { SERVED_ACTION, SERVED_RECEIPT } from './served-needs.ts';

export interface ServedShapes {
  readonly action: Shape;
  readonly receipt: Shape;
}

/** What the bot needs is there, because the schema was loaded; anything else may be lacking, and is then not served. */
export function loadServed({ text }: ActionSchema): ServedShapes {
  const scope = parseProto(text);
  const shapeOf = (name: string, needs: Needs): Shape => {
    const type = scope.get(name);
    assert(type instanceof Type, `the schema has no message ${name}`);
    return resolve(type, needs, []);
  };
  return { action: shapeOf('Action', SERVED_ACTION), receipt: shapeOf('Receipt', SERVED_RECEIPT) };
}
