/** Relays and the forward proxy of contained environments. */
module org.berth.process.egress {
    exports org.berth.process.egress;
}
