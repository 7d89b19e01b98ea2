// Finds, in a loaded schema, the messages that the embedded exchange serves.
import { Type } from 'protobufjs';
import { assert } from '../../../base/assert.ts';
import type { Needs } from './needs.ts';
import { parseProto } from './proto-text.ts';
import { resolve, type Shape } from './resolve.ts';
import type { ActionSchema } from './schema.ts';
import { SERVED_ACTION, SERVED_RECEIPT } from './served-needs.ts';

export interface ServedShapes {
  readonly action: Shape;
  readonly receipt: Shape;
}

/** A loaded schema has everything that the bot needs; other messages may be missing, and are then not served. */
export function loadServed({ text }: ActionSchema): ServedShapes {
  const scope = parseProto(text);
  const shapeOf = (name: string, needs: Needs): Shape => {
    const type = scope.get(name);
    assert(type instanceof Type, `the schema has no message ${name}`);
    return resolve(type, needs, []);
  };
  return { action: shapeOf('Action', SERVED_ACTION), receipt: shapeOf('Receipt', SERVED_RECEIPT) };
}
