import { type mongo } from 'mongoose';
import { isTakenId } from './failures.ts';

/**
 * Inserts the documents whose ids are new; those whose ids are known stay as they are. One insert costs the database a third
 * of an upsert. Not within a transaction, which a known id ends.
 *
 * @throws whatever else the database says; some of the documents may be there then.
 */
export async function insertNew<T extends { readonly _id: string }>(
  collection: mongo.Collection<T>,
  documents: readonly mongo.OptionalUnlessRequiredId<T>[],
): Promise<void> {
  if (documents.length === 0) return;
  try {
    await collection.insertMany([...documents], { ordered: false });
  } catch (error) {
    if (!isTakenId(error)) throw error;
  }
}
