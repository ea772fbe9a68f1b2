/** One field of a message in protobuf's wire format: a number, or the bytes of a text or of an inner message. */
export interface ProtobufField {
  readonly number: number;
  readonly value: bigint | Buffer;
}

/**
 * The fields of a message, in their order. With them a receiver can read a message without the sender's libraries.
 *
 * @throws RangeError where the bytes are cut short.
 */
export function* protobufFields(bytes: Buffer): Generator<ProtobufField> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at);
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const taken = (length: number): Buffer => {
    if (at + length > bytes.length) throw new RangeError('The message is cut short.');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const number = tag >> 3;
    switch (tag & 7) {
      case 0:
        yield { number, value: varint() };
        break;
      case 1:
        yield { number, value: taken(8).readBigUInt64LE() };
        break;
      case 2:
        yield { number, value: taken(Number(varint())) };
        break;
      case 5:
        yield { number, value: BigInt(taken(4).readUInt32LE()) };
        break;
      default:
        throw new RangeError(`No wire type ${tag & 7} is known.`);
    }
  }
}
