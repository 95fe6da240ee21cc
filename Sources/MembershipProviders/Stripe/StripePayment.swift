import MembershipModel

/// Documents that only tell which ids name one payment: by them refunds find what was bought.
enum StripePayment {
  static let readCharge: StripeEventKind.Read = { notice, facts in
    guard notice.object.text("status") == "succeeded" || notice.object.flag("paid") == true else {
      facts.note("the charge has not succeeded")
      return
    }
    link(notice.object.references("id", "payment_intent", "invoice"), in: &facts)
  }

  static let readPaymentIntent: StripeEventKind.Read = { notice, facts in
    guard notice.object.text("status") == "succeeded" else {
      facts.note("the payment has not succeeded")
      return
    }
    var references = notice.object.references("id", "latest_charge", "invoice")
    // Before 2022-11-15 the charges were listed.
    for charge in notice.object.list("charges") where charge.text("status") == "succeeded" {
      references += charge.references("id").filter { !references.contains($0) }
    }
    link(references, in: &facts)
  }

  static let readInvoicePayment: StripeEventKind.Read = { notice, facts in
    let payment = notice.object.object("payment")?.references("payment_intent", "charge") ?? []
    link(notice.object.references("invoice") + payment, in: &facts)
  }

  private static func link(_ references: [ReferenceID], in facts: inout FactCollector) {
    guard references.count > 1 else {
      facts.note("it names nothing beside itself that belongs to the payment")
      return
    }
    facts.state(.paymentLinked(PaymentLink()), references: references)
  }
}

extension DocumentObject {
  /// What names the payment that a refund, a dispute or a warning is about.
  var paymentReferences: [ReferenceID] {
    var references = references("charge", "payment_intent")
    if let charge = expanded("charge") {
      references += charge.references("payment_intent", "invoice")
        .filter { !references.contains($0) }
    }
    return references
  }
}
