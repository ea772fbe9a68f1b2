// Real servers start, break and come back within one integration test.
jest.setTimeout(60_000);
