import { MemorySavedSearchStore } from './memory-saved-search-store.ts';
import { describeSavedSearchStore } from './saved-search-store.contract.ts';

describeSavedSearchStore('Memory', () => Promise.resolve(new MemorySavedSearchStore()));
