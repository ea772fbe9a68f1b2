import { type mongo } from 'mongoose';
import { isDuplicateIdOnly } from './failures.ts';

/**
 * Inserts the documents whose ids do not exist yet, and leaves the others as they are. It costs the database a third of an
 * upsert. Not for transactions, which a duplicate key aborts.
 *
 * @throws any other error of the database; some of the documents may be inserted then.
 */
export async function insertNew<T extends mongo.Document>(
  collection: mongo.Collection<T>,
  documents: readonly mongo.OptionalUnlessRequiredId<T>[],
): Promise<void> {
  if (documents.length === 0) return;
  try {
    await collection.insertMany([...documents], { ordered: false });
  } catch (error) {
    if (!isDuplicateIdOnly(error)) throw error;
  }
}
