// Package store says what it means to keep documents safely: names, documents, and transactions
// over several of them. It holds the interfaces and the transaction record Tx; keeping bytes is
// the business of an implementation (filestore), and storetest is the suite that every
// implementation passes.
//
// Invariants that every Store keeps (architecture "Laws"):
//   - a transaction is all or nothing over all its documents;
//   - a document that changed between its read and its write is never overwritten: the
//     transaction runs again;
//   - a transaction that asks for nothing, or for what is there already, touches nothing;
//   - reads never write;
//   - names stay below the root.
//
// The package knows nothing about the formats of documents.
package store
