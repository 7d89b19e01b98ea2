// POST /action: signed bytes in, a receipt out, whatever the bytes.
import { assert, unreachable } from '../../base/assert.ts';
import type { HttpReply, HttpRequest } from '../../base/transport.ts';
import type { AccountId } from '../../domain/ids.ts';
import { lots, type Micros, ticks } from '../../domain/numbers.ts';
import type { Exchange } from '../../simulator/exchange.ts';
import type { ActionCodec, Receipt, WireAction } from '../../wire/codec.ts';
import { MAX_ACTION_BYTES, splitSigned, WireError } from '../../wire/framing.ts';
import { sessionMessage, toBase58, verify } from '../../wire/signing.ts';
import { bytesReply, Refused } from '../reply.ts';
import type { Session, Sessions } from './sessions.ts';
import { ActionWindow } from './window.ts';

const OCTETS = 'application/octet-stream';

type Signed = ReturnType<typeof splitSigned>;
type OfKind<Kind extends WireAction['kind']> = Extract<WireAction, { kind: Kind }>;
