package org.berth.placement.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.nio.charset.StandardCharsets;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.hibernate.Length;
import org.hibernate.annotations.Immutable;

/** The row of what a driver rendered for one attempt; written once. */
@Entity
@Table(name = "attempt_deliveries")
@Immutable
class DeliveryEntity {
    @Id
    @Column(name = "attempt_id")
    String attemptId;

    @Column(name = "delivery_json", length = Length.LONG32)
    String deliveryJson;

    @Column(name = "digest")
    String digest;

    protected DeliveryEntity() {}

    static DeliveryEntity of(String attemptId, String deliveryJson) {
        DeliveryEntity row = new DeliveryEntity();
        row.attemptId = attemptId;
        row.deliveryJson = deliveryJson;
        row.digest = sha256(deliveryJson);
        return row;
    }

    /** @throws BerthException STORAGE */
    String verified() {
        if (!sha256(deliveryJson).equals(digest)) {
            throw new BerthException(ProblemCode.STORAGE, "the stored configuration of the launch was changed");
        }
        return deliveryJson;
    }

    private static String sha256(String text) {
        return CanonicalJson.sha256(text.getBytes(StandardCharsets.UTF_8));
    }
}
