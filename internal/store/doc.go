// Package store defines what it means to keep documents safely: names, documents, and transactions
// over several documents. It holds the interfaces and the transaction record Tx. An implementation
// such as filestore keeps the bytes, and storetest is the test suite that every implementation must
// pass.
//
// Every Store keeps these invariants (architecture "Laws"):
//   - a transaction is all or nothing over all its documents;
//   - a document that changed between its read and its write is never overwritten: the transaction
//     runs again;
//   - a transaction that changes nothing touches nothing;
//   - reads never write;
//   - names stay below the root.
//
// The package knows nothing about the formats of documents.
package store
