/** The program inside a contained environment. */
module org.berth.guest {
    requires org.berth.process.egress;
}
