import CBaseline
import MembershipModel

/// One way of doing the work, measured.
struct Row {
  let name: String
  let samples: Samples
  /// What else is known of it, by name.
  var details: [(name: String, value: String)] = []
}

/// Rows that do one work; the first is the measure of the others.
struct Section {
  let title: String
  /// Sizes, hit rate, clock and durability: without them a number misleads.
  let conditions: String
  /// What one item is, such as `check`.
  let item: String
  let rows: [Row]

  /// A table for people, ratios to the first row last.
  var text: String {
    var table = [["ns/\(item)", "min", "median", "p90", "p99", "\(item)s/s", "× min", "× median"]]
    for (index, row) in rows.enumerated() {
      let samples = row.samples
      let details = row.details.map { "  \($0.name) \($0.value)" }.joined()
      table.append([
        row.name, decimal(samples.minimum), decimal(samples.median),
        decimal(samples.percentile(90)), decimal(samples.percentile(99)),
        grouped(1e9 / samples.median), decimal(ratioOfMinima(index), 2),
        decimal(ratio(index), 2) + details,
      ])
    }
    return "\(title)\n\(conditions)\n" + aligned(table)
  }

  var json: JSONValue {
    .object([
      .init("title", .string(title)), .init("conditions", .string(conditions)),
      .init("item", .string(item)),
      .init("rows", .array(rows.indices.map(json(of:)))),
    ])
  }

  private func json(of index: Int) -> JSONValue {
    let row = rows[index]
    let samples = row.samples
    let numbers: [(String, Double)] = [
      ("minimum", samples.minimum), ("median", samples.median), ("p90", samples.percentile(90)),
      ("p99", samples.percentile(99)), ("maximum", samples.percentile(100)),
      ("ratioOfMinima", ratioOfMinima(index)), ("ratio", ratio(index)),
    ]
    return .object(
      [.init("name", .string(row.name)), .init("samples", .integer(Int64(samples.values.count)))]
        + numbers.map { .init($0.0, .string(decimal($0.1, 3))) }
        + row.details.map { .init($0.name, .string($0.value)) })
  }

  private func ratio(_ index: Int) -> Double { rows[index].samples.median / rows[0].samples.median }

  private func ratioOfMinima(_ index: Int) -> Double {
    rows[index].samples.minimum / rows[0].samples.minimum
  }
}

/// All that one run measured, and where.
struct Report {
  let machine: Machine
  let options: Options
  var sections: [Section] = []

  init(machine: Machine, _ options: Options) {
    self.machine = machine
    self.options = options
  }

  var header: String {
    machine.line + "\nseed \(options.seed), \(options.customers) customers, "
      + "\(options.rounds) rounds; times are per item, ratios to the first row of a table"
  }

  var json: String {
    JSONValue.object([
      .init("machine", .string(machine.line)), .init("seed", .string(String(options.seed))),
      .init("customers", .integer(Int64(options.customers))),
      .init("rounds", .integer(Int64(options.rounds))),
      .init("peakMemory", .integer(Int64(baseline_peak_memory()))),
      .init("sections", .array(sections.map(\.json))),
    ]).text(indentation: 2)
  }
}

/// A number with a fixed number of decimals.
func decimal(_ value: Double, _ places: Int = 1) -> String {
  guard value.isFinite, value.magnitude < 1e15 else { return "–" }
  var scale = 1
  for _ in 0..<places { scale *= 10 }
  let scaled = Int((value.magnitude * Double(scale)).rounded())
  let sign = value < 0 ? "-" : ""
  if places == 0 { return sign + String(scaled) }
  let fraction = String(scaled % scale)
  return sign + String(scaled / scale) + "."
    + String(repeating: "0", count: places - fraction.count) + fraction
}

/// A whole number with a comma after each three digits.
func grouped(_ value: Double) -> String {
  guard value.isFinite, value < 1e15 else { return "–" }
  var text = ""
  for (index, digit) in String(Int(value.rounded())).reversed().enumerated() {
    if index > 0, index % 3 == 0 { text.append(",") }
    text.append(digit)
  }
  return String(text.reversed())
}

/// Columns side by side: the first to the left, the others to the right.
private func aligned(_ table: [[String]]) -> String {
  let widths = table[0].indices.map { column in
    // Details trail the last column and do not widen it.
    table.map { $0[column].prefix { $0 != " " || column == 0 }.count }.max() ?? 0
  }
  return table.map { row in
    row.enumerated().map { column, cell in
      let own = column == 0 ? cell.count : cell.prefix { $0 != " " }.count
      let padding = String(repeating: " ", count: max(widths[column] - own, 0))
      return column == 0 ? cell + padding : padding + cell
    }.joined(separator: "  ")
  }.joined(separator: "\n")
}
