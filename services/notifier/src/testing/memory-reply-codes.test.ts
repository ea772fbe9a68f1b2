import { describeReplyCodes } from '../storage/reply-codes.contract.ts';
import { MemoryReplyCodes } from './memory-reply-codes.ts';

describeReplyCodes('MemoryReplyCodes', () => Promise.resolve(new MemoryReplyCodes()));
