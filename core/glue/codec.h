// JSON ⇄ the structures of model.h (Glue JSON 1.1 protocol).
//
// Decoding accepts null for absent and keeps every unknown member. Encoding
// writes the *Input structures of the API: response-only members are left out,
// unknown members are written back.
//
// Decoders fail with kInvalidData, naming the structure and the member, if a
// known member has another JSON type than the API's.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/glue/model.h"

namespace gluecat::glue {

Result<Database> DecodeDatabase(JsonView json);
void EncodeDatabaseInput(const Database& database, JsonWriter& writer);

Result<StorageDescriptor> DecodeStorageDescriptor(JsonView json);
void EncodeStorageDescriptor(const StorageDescriptor& descriptor, JsonWriter& writer);

Result<Table> DecodeTable(JsonView json);
void EncodeTableInput(const Table& table, JsonWriter& writer);
// As a text, by which entries are compared: what only answers hold is left out.
std::string EncodeTableInput(const Table& table);

Result<TableVersion> DecodeTableVersion(JsonView json);

Result<Partition> DecodePartition(JsonView json);
void EncodePartitionInput(const Partition& partition, JsonWriter& writer);

// Reads PartitionIndex as well as the PartitionIndexDescriptor of an answer.
Result<PartitionIndex> DecodePartitionIndex(JsonView json);
void EncodePartitionIndex(const PartitionIndex& index, JsonWriter& writer);

Result<UserDefinedFunction> DecodeFunction(JsonView json);
void EncodeFunctionInput(const UserDefinedFunction& function, JsonWriter& writer);

Result<ColumnStatistics> DecodeColumnStatistics(JsonView json);
void EncodeColumnStatistics(const ColumnStatistics& statistics, JsonWriter& writer);

}  // namespace gluecat::glue
