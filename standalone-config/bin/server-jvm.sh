# What WildFly 39 needs of a modular JVM, and its offline configuration; sourced by berth-server and berth-configure.
# Source: bin/standalone.sh and bin/common.sh of the same release.

WILDFLY_JVM=(
  -Djboss.modules.system.pkgs=org.jboss.byteman
  "-Djdk.serialFilter=maxbytes=10485760;maxdepth=128;maxarray=100000;maxrefs=300000"
  --sun-misc-unsafe-memory-access=allow
  --add-exports=java.desktop/sun.awt=ALL-UNNAMED
  --add-exports=java.naming/com.sun.jndi.ldap=ALL-UNNAMED
  --add-exports=java.naming/com.sun.jndi.url.ldap=ALL-UNNAMED
  --add-exports=java.naming/com.sun.jndi.url.ldaps=ALL-UNNAMED
  --add-exports=jdk.naming.dns/com.sun.jndi.dns=ALL-UNNAMED
  --add-opens=java.base/java.lang=ALL-UNNAMED
  --add-opens=java.base/java.lang.invoke=ALL-UNNAMED
  --add-opens=java.base/java.lang.reflect=ALL-UNNAMED
  --add-opens=java.base/java.io=ALL-UNNAMED
  --add-opens=java.base/java.net=ALL-UNNAMED
  --add-opens=java.base/java.security=ALL-UNNAMED
  --add-opens=java.base/java.util=ALL-UNNAMED
  --add-opens=java.base/java.util.concurrent=ALL-UNNAMED
  --add-opens=java.management/javax.management=ALL-UNNAMED
  --add-opens=java.naming/javax.naming=ALL-UNNAMED
)

# configure_offline SERVER JDK BASE_DIR STATE_ROOT SCRIPT: runs a CLI script on BASE_DIR's standalone.xml. Prints the
# CLI's output only when it failed. The caller's umask decides who may read the result.
configure_offline() {
  local server="$1" jdk="$2" base="$3" state="$4" script="$5" whole output status=0
  whole="$(mktemp "${TMPDIR:-/tmp}/berth-configure.XXXXXXXX")" || return 1
  {
    echo 'embed-server --server-config=standalone.xml --std-out=discard'
    cat -- "$script"
    echo
    echo stop-embedded-server
  } > "$whole"
  # A reload of the embedded server can still be stopping its executor when the next step comes. The scripts repeat.
  local attempt
  for attempt in 1 2 3; do
  status=0
  output="$(JBOSS_HOME="$server" "$jdk/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "${WILDFLY_JVM[@]}" \
    -Djboss.server.base.dir="$base" -Dberth.home="$state" \
    -Dlogging.configuration="file:$server/bin/jboss-cli-logging.properties" \
    -jar "$server/jboss-modules.jar" -mp "$server/modules" org.jboss.as.cli \
    --file="$whole" 2>&1 < /dev/null)" || status=$?
  case "$status:$output" in
    0:*) break ;;
    *RejectedExecutionException*) ;;
    *) break ;;
  esac
  done
  rm -f -- "$whole"
  if [ $status -ne 0 ]; then
    printf '%s\n' "$output" >&2
  fi
  return $status
}
