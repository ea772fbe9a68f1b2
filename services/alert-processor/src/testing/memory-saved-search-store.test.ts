import { MemorySavedSearchStore } from './memory-saved-search-store.ts';
import { describeSavedSearchStore } from '../storage/saved-search-store.contract.ts';

describeSavedSearchStore('Memory', () => Promise.resolve(new MemorySavedSearchStore()));
